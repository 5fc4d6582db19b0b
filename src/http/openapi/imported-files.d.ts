/** Files of swagger-ui-dist, imported `with { type: 'file' }`: the default export is where the file is. */
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
declare module '*/page/start.js' {
  const path: string;
  export default path;
}
declare module '*/page/start.css' {
  const path: string;
  export default path;
}
