import { execFileSync } from 'node:child_process';

/** A machine, or what stands for one. */
export interface Host {
  address: string;
  /** How to run a program there. */
  command(program: string, options: readonly string[]): [string, string[]];
  /** Cuts its network, until `mend`. False where hosts share one network. */
  cut(): boolean;
  mend(): void;
}

export interface Hosts {
  /** Whether each host has a network of its own. */
  isolated: boolean;
  add(): Host;
  close(): void;
}

/** All processes on this machine, at its loopback address. */
const shared: Hosts = {
  isolated: false,
  add: () => ({
    address: '127.0.0.1',
    command: (program, options) => [program, [...options]],
    cut: () => false,
    mend: () => {},
  }),
  close: () => {},
};

/**
 * Each host is a Linux network namespace with an address of its own, joined by a bridge. Needs root. The process that
 * asks is the first address of the network.
 */
function separate(): Hosts {
  const ip = (...options: string[]): void => void execFileSync('ip', options, { stdio: 'pipe' });
  const id = process.pid % 10_000;
  const bridge = `hs${id}`;
  const network = `10.${64 + (id % 128)}.${Math.floor(id / 128) % 256}`;
  const names: string[] = [];
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('address', 'add', `${network}.1/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  return {
    isolated: true,
    add() {
      const name = `${bridge}-${names.length}`;
      const cable = `${bridge}c${names.length}`;
      const address = `${network}.${names.length + 2}`;
      names.push(name);
      ip('netns', 'add', name);
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      ip('link', 'set', cable, 'master', bridge, 'up');
      for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up');
      ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      return {
        address,
        command: (program, options) => ['ip', ['netns', 'exec', name, program, ...options]],
        cut() {
          ip('link', 'set', cable, 'down');
          return true;
        },
        mend: () => ip('link', 'set', cable, 'up'),
      };
    },
    close() {
      for (const name of names) ip('netns', 'del', name);
      ip('link', 'del', bridge);
    },
  };
}

export const openHosts = (isolated: boolean): Hosts => (isolated ? separate() : shared);
