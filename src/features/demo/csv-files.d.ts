/** Files imported `with { type: 'text' }`: the default export is what stands in them. */
declare module '*.csv' {
  const text: string;
  export default text;
}
