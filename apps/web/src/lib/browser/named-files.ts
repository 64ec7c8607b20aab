/** The files that a dialog which starts a run is opened with. */
export interface NamedFiles {
  genotype?: string | undefined;
  phenotype?: string | undefined;
}

const SIGN = /^(genotype|phenotype):/;

/** In the address, in place of the id of a run: `genotype:…,phenotype:…`. */
export const namingFiles = (files: NamedFiles): string =>
  (['genotype', 'phenotype'] as const)
    .flatMap((role) => (files[role] === undefined ? [] : `${role}:${files[role]}`))
    .join(',');

/** Undefined when the text names no files. */
export function filesNamedBy(text: string | undefined): NamedFiles | undefined {
  if (text === undefined || !SIGN.test(text)) return undefined;
  return Object.fromEntries(text.split(',').map((part) => part.split(':'))) as NamedFiles;
}
