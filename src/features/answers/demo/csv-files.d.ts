/** Declares files imported `with { type: 'text' }`. The default export is the content. */
declare module '*.csv' {
  const text: string;
  export default text;
}
