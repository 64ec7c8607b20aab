// Photos that were taken and not yet taken by the server, kept in this browser (IndexedDB, which holds files; the
// typed values beside them are in `values/outbox.ts`).

/** A photo on its way. Its id is made here, so that sending it twice stores it once. */
export interface WaitingPhoto {
  id: string;
  /** Who took it, in whose name alone it is sent. */
  user: string;
  trialId: string;
  plot: number;
  name: string;
  takenAt: string;
  photo: Blob;
  thumbnail?: Blob;
  /** Why the server did not take it; it is not sent again. */
  refused?: string;
}

const DATABASE = 'heterosis-photos';
const STORE = 'waiting';
const OF_TRIAL = 'trial';

/** Most photos of all trials and people that wait in a browser, and their bytes. */
const MOST_WAITING = 200;
const MOST_WAITING_BYTES = 300_000_000;

/** The browser keeps no more photos. */
export class PhotosFull extends Error {
  override readonly name = 'PhotosFull';
}

/** Keeps a photo. @throws PhotosFull where there are too many, and whatever the browser says that keeps none */
export async function keepPhoto(photo: WaitingPhoto): Promise<void> {
  const others = (await inStore('readonly', (store) => store.getAll() as IDBRequest<WaitingPhoto[]>)).filter(
    ({ id }) => id !== photo.id,
  );
  const bytes = [...others, photo].reduce((sum, one) => sum + one.photo.size + (one.thumbnail?.size ?? 0), 0);
  if (others.length >= MOST_WAITING || bytes > MOST_WAITING_BYTES) throw new PhotosFull();
  try {
    await inStore('readwrite', (store) => store.put(photo));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') throw new PhotosFull();
    throw error;
  }
}

/** Those of a person and a trial, the oldest first. */
export async function waitingPhotos(user: string, trialId: string): Promise<WaitingPhoto[]> {
  const found = await inStore(
    'readonly',
    (store) => store.index(OF_TRIAL).getAll([user, trialId]) as IDBRequest<WaitingPhoto[]>,
  );
  return found.sort((a, b) => a.takenAt.localeCompare(b.takenAt));
}

export async function dropPhoto(id: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(id));
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await opened();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The browser kept nothing')));
    });
    return request.result;
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(STORE, { keyPath: 'id' }).createIndex(OF_TRIAL, ['user', 'trialId']);
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser keeps no photos')));
  });
}
