/** Style sheets are bundled by the client's build. */
declare module '*.css';
