import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' };
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' };
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' };
import startStyles from './page/start.css' with { type: 'file' };
import start from './page/start.js' with { type: 'file' };

/**
 * The files of the docs page: Swagger UI and our additions, embedded in the binary. @elysiajs/static serves a folder,
 * which a binary does not have. `with { type: 'file' }` is a Bun extension, so only this file uses it.
 */
export const pageFiles = {
  'swagger-ui-bundle.js': { file: () => Bun.file(bundle), type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { file: () => Bun.file(styles), type: 'text/css; charset=utf-8' },
  'start.js': { file: () => Bun.file(start), type: 'text/javascript; charset=utf-8' },
  'start.css': { file: () => Bun.file(startStyles), type: 'text/css; charset=utf-8' },
  'favicon.png': { file: () => Bun.file(icon), type: 'image/png' },
} as const;
