import {
  type Arrangement,
  type DesignKind,
  emptyArrangement,
  equalReplicates,
  type PlaceRequest,
  requireEntries,
  searchArrangement,
  USUAL_REPLICATES,
} from './arrangement.ts';
import { DesignError } from './design-error.ts';
import { beginnings } from './field.ts';
import { placeChecks } from './placed-checks.ts';

/** Plots of an entry where entries may differ in that. */
export const replicatesOf = ({ request }: PlaceRequest, index: number): number =>
  request.entries[index]?.replicates ?? request.replicates ?? USUAL_REPLICATES;

/** Completely randomised: any plot may have any entry, and nothing is exchanged. */
export const COMPLETELY_RANDOMISED: DesignKind = {
  shape(place) {
    requireEntries(place, 1);
    const plots = place.lines.reduce((sum, index) => sum + replicatesOf(place, index), 0);
    return { plots, band: plots, unit: 1 };
  },
  arrange(place, field, { random }) {
    const found = emptyArrangement(field.cells.length);
    const drawn = random.shuffle(
      place.lines.flatMap((index) => Array.from({ length: replicatesOf(place, index) }, () => index)),
    );
    found.entry.set(drawn);
    placeChecks(place, field, { entry: found.entry, zone: found.replicate, nameOf: () => 'The field', random });
    return found;
  },
};

/** Randomised complete blocks: every replicate is a block of all entries. */
export const COMPLETE_BLOCKS: DesignKind = {
  shape(place) {
    requireEntries(place, 1);
    const v = place.lines.length;
    return { plots: v * equalReplicates(place), band: v, unit: 1 };
  },
  arrange(place, field, chance) {
    const r = equalReplicates(place);
    const v = place.lines.length;
    const found = emptyArrangement(field.cells.length);
    for (const [replicate, first] of beginnings(
      field,
      Array.from({ length: r }, () => v),
    ).entries()) {
      found.entry.set(chance.random.shuffle([...place.lines]), first);
      found.replicate.fill(replicate + 1, first, first + v);
      found.block.fill(replicate + 1, first, first + v);
    }
    const zone = found.replicate.map((replicate) => replicate - 1);
    const { random } = chance;
    const placed = placeChecks(place, field, {
      entry: found.entry,
      zone,
      nameOf: (one) => `Replicate ${one + 1}`,
      random,
    });
    searchArrangement(place, field, found, { ...chance, zone, ...placed });
    found.factors = { blocks: zone };
    found.bound = r > 1 ? 1 : null;
    return found;
  },
};

/**
 * Split plots: in every replicate a whole plot for each treatment, with all entries as its sub-plots; without
 * treatments a whole plot for each family, with its lines.
 */
export const SPLIT_PLOT: DesignKind = {
  shape(place) {
    requireEntries(place, 1);
    const sizes = wholePlots(place).map(({ lines }) => lines.length);
    const band = sizes.reduce((sum, size) => sum + size, 0);
    const isEven = new Set(sizes).size === 1;
    return { plots: band * equalReplicates(place), band, unit: isEven ? (sizes[0] ?? 1) : 1 };
  },
  arrange(place, field, chance) {
    const r = equalReplicates(place);
    const all = wholePlots(place);
    const band = all.reduce((sum, { lines }) => sum + lines.length, 0);
    const found: Arrangement = { ...emptyArrangement(field.cells.length), mainPlots: all.map(({ name }) => name) };
    const order = [...all.keys()];
    let block = 0;
    for (const [replicate, first] of beginnings(
      field,
      Array.from({ length: r }, () => band),
    ).entries()) {
      let next = first;
      for (const treatment of chance.random.shuffle(order)) {
        const lines = chance.random.shuffle([...(all[treatment]?.lines ?? [])]);
        const end = next + lines.length;
        block++;
        found.entry.set(lines, next);
        found.replicate.fill(replicate + 1, next, end);
        found.block.fill(block, next, end);
        found.mainPlot.fill(treatment, next, end);
        next = end;
      }
    }
    const zone = found.block.map((number) => number - 1);
    const { random } = chance;
    const placed = placeChecks(place, field, {
      entry: found.entry,
      zone,
      nameOf: (one) => `Whole plot ${one + 1}`,
      random,
    });
    searchArrangement(place, field, found, { ...chance, zone, ...placed });
    return found;
  },
};

function wholePlots({ request, lines }: PlaceRequest): { name: string; lines: readonly number[] }[] {
  if (request.mainPlots.length > 0) return request.mainPlots.map((name) => ({ name, lines }));
  const families = Map.groupBy(lines, (index) => request.entries[index]?.family ?? '');
  if (families.size < 2 || families.has('')) {
    throw new DesignError(
      'entries',
      'A split-plot design needs the treatments of its whole plots.',
      'Give --main-plots dry,irrigated, or give every entry a family: families are then the whole plots.',
    );
  }
  return [...families].map(([name, members]) => ({ name, lines: members }));
}
