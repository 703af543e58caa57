import type { FileStorage } from './keptFiles';

const [databaseName, storeName] = ['assay.results', 'files'];

let connection: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  connection ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => {
      // Another tab may delete or upgrade it; it is opened again when it is next needed.
      const forget = () => (connection = undefined);
      request.result.onclose = forget;
      request.result.onversionchange = () => {
        request.result.close();
        forget();
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('The browser stores no files.'));
  }).catch((error: unknown) => {
    connection = undefined;
    throw error;
  });
  return connection;
}

/** Resolves once everything is written. Rejects, for example with a `QuotaExceededError`. */
async function withFiles<T>(mode: IDBTransactionMode, use: (files: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(storeName, mode);
    const request = use(transaction.objectStore(storeName));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? request.error ?? new Error('The file was not stored.'));
  });
}

/** Files in the browser's database, which all tabs share. */
export const fileDatabase: FileStorage = {
  put: async (id, file) => {
    await withFiles('readwrite', (files) => files.put(file, id));
  },
  get: (id) => withFiles('readonly', (files) => files.get(id) as IDBRequest<Blob | undefined>),
  delete: (id) => withFiles('readwrite', (files) => files.delete(id)),
  ids: async () => (await withFiles('readonly', (files) => files.getAllKeys())).map(String),
};
