import type { Config } from '../../../platform/config/config.ts';
import { sealText, unsealText } from '../../../platform/config/sealed-text.ts';

const PURPOSE = 'brapi-import-token';

/** The token of another server as it is stored. */
export const sealToken = (config: Pick<Config, 'secretKey'>, token: string): Promise<string> =>
  sealText(config, PURPOSE, token);

/** Null where no token was given. */
export async function unsealToken(config: Pick<Config, 'secretKey'>, sealed: string | null): Promise<string | null> {
  return sealed === null ? null : await unsealText(config, PURPOSE, sealed);
}
