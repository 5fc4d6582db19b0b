/** The value of ALLOWED_ORIGINS in tests. */
export const namedOrigins = ['https://app.example.com', 'http://127.0.0.1:5173'];

/** Origins that resemble an allowed one. */
export const lookalikes = [
  'https://app.example.com.attacker.example',
  'https://attacker.example/https://app.example.com',
  'https://xapp.example.com',
  'https://app.example.co',
  'https://example.com.app',
  'https://sub.app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com:443',
  'http://app.example.com',
  'HTTPS://APP.EXAMPLE.COM',
  'https://app.example.com/',
  'https://app.example.com, https://app.example.com',
  'http://127.0.0.1:51730',
  'http://localhost:5173',
  'null',
  '*',
];
