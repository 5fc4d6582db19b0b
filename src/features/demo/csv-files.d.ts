/** Files imported `with { type: 'text' }`. The default export is their content. */
declare module '*.csv' {
  const text: string;
  export default text;
}
