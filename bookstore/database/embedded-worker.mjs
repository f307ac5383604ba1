// Plain JavaScript, since a worker thread starts from a file that Node reads as it stands, from the sources and from
// the build alike. Holds PostgreSQL in WASM away from the API's event loop; answers one message after the other.
import { readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

const image = workerData.image === undefined ? undefined : new Blob([await readFile(workerData.image)]);
const db = await PGlite.create(image === undefined ? {} : { loadDataDir: image });
parentPort.postMessage({ ready: true });

async function answer({ id, text, values, dump, close }) {
  try {
    if (close) {
      await db.close();
      parentPort.postMessage({ id, rows: [] });
      parentPort.close();
    } else if (dump !== undefined) {
      const file = await db.dumpDataDir('none');
      await writeFile(dump, Buffer.from(await file.arrayBuffer()));
      parentPort.postMessage({ id, rows: [] });
    } else {
      const { rows } = await db.query(text, values);
      parentPort.postMessage({ id, rows });
    }
  } catch (error) {
    parentPort.postMessage({ id, error: { message: String(error?.message ?? error), code: error?.code } });
  }
}

let last = Promise.resolve();
parentPort.on('message', (message) => {
  last = last.then(() => answer(message));
});
