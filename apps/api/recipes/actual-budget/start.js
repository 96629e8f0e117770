const { HOST = '127.0.0.1', PORT, NEPHOS_DATA } = process.env;

process.env.ACTUAL_HOSTNAME = HOST;
process.env.ACTUAL_PORT = PORT;
process.env.ACTUAL_DATA_DIR = NEPHOS_DATA;

await import('@actual-app/sync-server/build/bin/actual-server.js');
