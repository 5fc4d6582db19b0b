/** The client's build bundles style sheets. */
declare module '*.css';
