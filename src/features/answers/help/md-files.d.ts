/** Declares files imported `with { type: 'text' }`. The default export is the content. */
declare module '*.md' {
  const text: string;
  export default text;
}
