import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { inputError } from '../command.ts';
import { type BenchmarkCase, type Comparison, meanOf, reference, rowsOf, textOf } from './scoreboard.ts';

interface Asked {
  species: string;
  genotype: string;
  phenotype: string;
  folds: string | undefined;
}

const TABLE = reference('easygese/results.csv');
/** The model of the table that ours is. */
const SAME_MODEL = 'GBLUP';

/** Plant.height, Plant_height and plant height are one trait. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Our accuracies on data of a species beside those of EasyGeSe. The folds differ unless theirs are given, and so may
 * markers and individuals.
 */
export function easyGeSe({ species, folds, ...files }: Asked): BenchmarkCase {
  const table = rowsOf(textOf(TABLE)).filter((row) => row['species']?.toLowerCase() === species.toLowerCase());
  if (table.length === 0) {
    const known = [...new Set(rowsOf(textOf(TABLE)).map((row) => row['species']))].join(', ');
    throw inputError('E-CLI-VALUE', `EasyGeSe has no species "${species}".`, `Choose one of ${known}.`);
  }
  const [genotype = '', phenotype = '', given] = [files.genotype, files.phenotype, folds].map(
    (path) => path && (isAbsolute(path) ? path : resolve(path)),
  );
  const traits = traitsOf(phenotype, new Set(table.map((row) => row['trait'] ?? '')));
  return {
    name: `easygese-${species.toLowerCase()}`,
    source: `EasyGeSe (Quesada-Traver et al. 2025), mean of 25 folds; ${given === undefined ? 'our folds, five × 5 by seed 1' : 'the folds given'}`,
    // A PLINK prefix is no file.
    data: [genotype, phenotype].filter((path) => existsSync(path)),
    async compare(run) {
      const shared = ['evaluate', '--genotype', genotype, '--phenotype', phenotype];
      const partition =
        given === undefined ? ['--n-fold', '5', '--n-repetition', '5', '--seed', '1'] : ['--folds', given];
      const found: Comparison[] = [];
      for (const [own, published] of traits) {
        const { out } = await run(...shared, '--trait', own, ...partition, '--out', 'OUT');
        const ours = meanOf(rowsOf(out).map(({ r }) => Number(r)));
        const ofTrait = table.filter((row) => row['trait'] === published);
        const best = ofTrait.toSorted((a, b) => Number(b['r']) - Number(a['r']))[0];
        for (const row of ofTrait.filter(({ model }) => model === SAME_MODEL || model === best?.['model'])) {
          const isBest = row === best;
          found.push({
            quantity: `mean r, ${published}, their ${row['model']}${isBest ? ', the best of ten methods' : ''}`,
            ...{ theirs: Number(row['r']), ours, tolerance: null },
          });
        }
      }
      return found;
    },
  };
}

/** Traits of the file that the table has, by both names. */
function traitsOf(phenotype: string, published: ReadonlySet<string>): [own: string, published: string][] {
  const byPlainName = new Map([...published].map((name) => [plain(name), name]));
  const [head = ''] = textOf(phenotype).split(/\r?\n/, 1);
  const found = head.split(/[,;\t]/).flatMap((cell): [string, string][] => {
    const own = cell.trim().replaceAll(/^"|"$/g, '');
    const name = byPlainName.get(plain(own));
    return name === undefined ? [] : [[own, name]];
  });
  if (found.length > 0) return found;
  throw inputError(
    'E-CLI-BENCHMARK',
    'The phenotype file has no trait of the table.',
    `Its traits are ${[...published].join(', ')}.`,
    phenotype,
  );
}
