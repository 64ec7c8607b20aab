import type { createTrialsBody } from '@heterosis/contracts/data/trials';
import type { Design, DesignedPlot, DesignRequest, PlaceFigures } from '@heterosis/statgen/designs/design-types';
import type { PlotSwap } from '@heterosis/statgen/designs/make-design';
import type * as z from 'zod';
import { PRODUCT_VERSION } from '../../../../lib/browser/product-version.ts';
import { numberOf } from '../../../../lib/form/field-number.ts';
import type { NewTrialValues } from './new-trial-values.ts';

type Body = z.input<typeof createTrialsBody>;

/** The trials of a design as the server takes them, one a place, with the plots that a person has moved. */
export function trialsBody(made: {
  values: NewTrialValues;
  request: DesignRequest;
  design: Design;
  changed: Readonly<Record<number, { plots: DesignedPlot[]; figures: PlaceFigures }>>;
  swaps: Readonly<Record<number, readonly PlotSwap[]>>;
}): Body {
  const { values, request, design, changed, swaps } = made;
  const { kinship: _, ...asked } = request;
  const firstPlot = numberOf(values.first_plot) || 1;
  return {
    name: values.name.trim(),
    season: values.season.trim(),
    plot_name: values.plot_name.trim() || '{plot}',
    plot_length_m: metres(values.plot_length),
    plot_width_m: metres(values.plot_width),
    design: {
      request: { ...asked, swaps },
      seed: request.seed,
      engine_version: PRODUCT_VERSION,
    },
    entries: request.entries.map(({ name }) => name),
    places: values.locations.map((location, place) => {
      const figures = changed[place]?.figures ?? design.places[place];
      const plots = changed[place]?.plots ?? design.plots.filter((plot) => plot.place === place);
      return {
        location_name: location,
        efficiency: figures?.efficiency ?? null,
        upper_bound: figures?.upperBound ?? null,
        layout: layoutOf(plots, firstPlot),
      };
    }),
  };
}

const metres = (value: NewTrialValues['plot_length']): number | null =>
  value !== '' && numberOf(value) > 0 ? numberOf(value) : null;

function layoutOf(plots: readonly DesignedPlot[], firstPlot: number): Body['places'][number]['layout'] {
  const hasTreatment = plots.some(({ mainPlot }) => mainPlot !== null);
  return {
    number: plots.map(({ number }) => number + firstPlot - 1),
    row: plots.map(({ row }) => row),
    column: plots.map(({ column }) => column),
    replicate: plots.map(({ replicate }) => replicate),
    block: plots.map(({ block }) => block),
    entry: plots.map(({ entry }) => entry),
    kind: plots.map(({ kind }) => kind.toUpperCase() as Uppercase<typeof kind>),
    ...(hasTreatment ? { treatment: plots.map(({ mainPlot }) => mainPlot) } : {}),
  };
}
