import {
  type DesignKind,
  emptyArrangement,
  equalReplicates,
  type PlaceRequest,
  requireEntries,
  searchArrangement,
} from './arrangement.ts';
import { DesignError } from './design-error.ts';
import { resolvableBound } from './efficiency-bounds.ts';
import { beginnings, requireWholeBlock } from './field.ts';
import { placeChecks } from './placed-checks.ts';

/**
 * Alpha designs in the wide sense (Patterson & Williams 1976, Biometrika 63:83): replicates of all entries, each of
 * blocks of k plots. Entries are exchanged within replicates, so that every start is resolvable.
 */
export const ALPHA: DesignKind = {
  shape(place) {
    requireEntries(place, 2);
    const v = place.lines.length;
    return { plots: v * equalReplicates(place), band: v, unit: blockSizeOf(place) };
  },
  arrange(place, field, chance) {
    const r = equalReplicates(place);
    const v = place.lines.length;
    const k = blockSizeOf(place);
    const found = emptyArrangement(field.cells.length);
    for (const [replicate, first] of beginnings(
      field,
      Array.from({ length: r }, () => v),
    ).entries()) {
      found.entry.set(chance.random.shuffle([...place.lines]), first);
      found.replicate.fill(replicate + 1, first, first + v);
      for (let block = 0; block < v / k; block++) {
        const [begin, end] = [first + block * k, first + (block + 1) * k];
        found.block.fill((replicate * v) / k + block + 1, begin, end);
        const name = `block ${block + 1} of replicate ${replicate + 1}`;
        requireWholeBlock(field, field.cells.slice(begin, end), name);
      }
    }
    const zone = found.replicate.map((replicate) => replicate - 1);
    const blocks = found.block.map((block) => block - 1);
    const { random } = chance;
    const placed = placeChecks(place, field, {
      entry: found.entry,
      zone,
      nameOf: (one) => `Replicate ${one + 1}`,
      random,
    });
    searchArrangement(place, field, found, { ...chance, zone, ...placed, factors: [blocks], familyBlock: blocks });
    found.factors = { blocks };
    found.bound = r > 1 ? resolvableBound(v, k, r) : null;
    return found;
  },
};

/** Plots of a block; without a wish the divisor of the number of entries next to its root. */
function blockSizeOf({ request, lines }: PlaceRequest): number {
  const v = lines.length;
  const divisors = Array.from({ length: v }, (_, i) => i + 1).filter((size) => v % size === 0 && size > 1);
  const wanted = request.blockSize;
  if (wanted === undefined) {
    const usual = divisors.filter((size) => size < v && size * size <= 2 * v).at(-1);
    if (usual !== undefined) return usual;
    throw new DesignError(
      'block-size',
      `${v} entries do not divide into blocks of equal size.`,
      'Add or remove an entry, or choose p-rep or rcbd.',
    );
  }
  if (wanted > 1 && v % wanted === 0) return wanted;
  const below = divisors.findLast((size) => size < wanted);
  const above = divisors.find((size) => size > wanted);
  const sizes = [below, above].filter((size) => size !== undefined);
  const added = wanted - (v % wanted);
  throw new DesignError(
    'block-size',
    `${v} entries do not divide into blocks of ${wanted}.`,
    `Choose ${sizes.map((size) => `--block-size ${size}`).join(' or ')}${wanted > 1 && wanted < v ? `, or add ${added} ${added === 1 ? 'entry' : 'entries'}` : ''}.`,
  );
}
