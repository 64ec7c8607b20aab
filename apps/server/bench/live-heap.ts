import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const MEGABYTE = 1024 ** 2;

/** Memory of another process of Node.js that is still in use after its garbage has been collected, in MB. */
export interface LiveHeap {
  measure(): Promise<number>;
  close(): void;
}

/** For a process that was started with {@link inspectable}; its inspector is opened by a signal. */
export async function openLiveHeap(pid: number, port: number): Promise<LiveHeap> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await addressOfInspector(port));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer')));
  });
  let sent = 0;
  const send = (method: string): Promise<Record<string, number>> =>
    new Promise((resolve, reject) => {
      const id = ++sent;
      const hear = ({ data }: MessageEvent): void => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        socket.removeEventListener('message', hear);
        if (answer.error === undefined) resolve(answer.result);
        else reject(new Error(`${method}: ${answer.error.message}`));
      };
      socket.addEventListener('message', hear);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async measure() {
      // Twice: what finalizers let go of in the first is collected in the second.
      for (let k = 0; k < 2; k++) await send('HeapProfiler.collectGarbage');
      const { usedSize = 0, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await send('Runtime.getHeapUsage');
      return (usedSize + embedderHeapUsedSize + backingStorageSize) / MEGABYTE;
    },
    close: () => socket.close(),
  };
}

/** Environment of a process whose live heap is to be measured. */
export const inspectable = (port: number): Record<string, string> => ({
  NODE_OPTIONS: `--inspect-port=127.0.0.1:${port}`,
});

type Targets = { webSocketDebuggerUrl: string }[];

async function addressOfInspector(port: number): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      const [target] = await new Promise<Targets>((resolve, reject) => {
        request({ host: '127.0.0.1', port, path: '/json/list' }, (answer) => {
          json(answer).then((targets) => resolve(targets as Targets), reject);
        })
          .on('error', reject)
          .end();
      });
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (attempt > 50) throw error;
    }
    await sleep(100);
  }
}
