import type { Endpoint } from './endpoint.ts';

/** The address of an endpoint with these parameters, below `/api`. */
export function addressOf({ path }: Pick<Endpoint, 'path'>, request: object): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    const value = (request as Record<string, unknown>)[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(String(value));
  });
}
