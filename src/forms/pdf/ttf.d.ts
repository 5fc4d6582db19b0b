/** A font file imported as a path, which also works inside the compiled binary. */
declare module '*.ttf' {
  const path: string;
  export default path;
}

declare module '*.woff' {
  const path: string;
  export default path;
}
