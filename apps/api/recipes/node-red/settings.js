const { createHash, timingSafeEqual } = require('node:crypto');

const { HOST = '127.0.0.1', PORT, NEPHOS_DATA, ADMIN_PASSWORD, CREDENTIAL_SECRET } = process.env;

if (!ADMIN_PASSWORD) {
  console.error('Set ADMIN_PASSWORD: without it, anyone could change the flows.');
  process.exit(1);
}

const admin = { username: 'admin', permissions: '*' };
const digest = (text) => createHash('sha256').update(text).digest();
const isRight = (password) => timingSafeEqual(digest(password), digest(ADMIN_PASSWORD));

module.exports = {
  uiHost: HOST,
  uiPort: PORT,
  userDir: NEPHOS_DATA,
  flowFile: 'flows.json',
  credentialSecret: CREDENTIAL_SECRET,
  adminAuth: {
    type: 'credentials',
    users: async (name) => (name === admin.username ? admin : null),
    authenticate: async (name, password) => (name === admin.username && isRight(password) ? admin : null),
  },
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false },
};
