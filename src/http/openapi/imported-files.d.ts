/** Files of swagger-ui-dist, imported `with { type: 'file' }`. The default export is the path of the file. */
declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  const path: string;
  export default path;
}
declare module 'swagger-ui-dist/swagger-ui.css' {
  const path: string;
  export default path;
}
declare module 'swagger-ui-dist/favicon-32x32.png' {
  const path: string;
  export default path;
}
declare module '*/start.js' {
  const path: string;
  export default path;
}
declare module '*/start.css' {
  const path: string;
  export default path;
}
