import type { createTrialsBody, replaceLayoutBody } from '@heterosis/contracts/data/trials';
import type { Design, DesignedPlot, DesignRequest } from '@heterosis/statgen/designs/design-types';
import type * as z from 'zod';
import { PRODUCT_VERSION } from '../../../../lib/browser/product-version.ts';
import { numberOf } from '../../../../lib/form/field-number.ts';
import type { NewTrialValues } from './new-trial-values.ts';
import type { DesignState } from './use-design.ts';

type Body = z.input<typeof createTrialsBody>;

interface MadeDesign extends Pick<DesignState, 'changed' | 'swaps'> {
  values: NewTrialValues;
  request: DesignRequest;
  design: Design;
}

/** The trials of a design as the server takes them, one a place, with the plots that a person has moved. */
export function trialsBody(made: MadeDesign): Body {
  const { values, request } = made;
  return {
    name: values.name.trim(),
    season: values.season.trim(),
    plot_name: templateOf(values),
    plot_length_m: metres(values.plot_length),
    plot_width_m: metres(values.plot_width),
    traits: values.traits,
    design: designOf(made),
    entries: request.entries.map(({ name }) => name),
    places: values.locations.map((location, place) => ({ location_name: location, ...placeOf(made, place) })),
  };
}

/** The layout of one trial in place of the one that it has. */
export function layoutBody(made: MadeDesign): z.input<typeof replaceLayoutBody> {
  const { layout, ...figures } = placeOf(made, 0);
  return {
    entries: made.request.entries.map(({ name }) => name),
    layout,
    plot_name: templateOf(made.values),
    design: { ...designOf(made), ...figures },
  };
}

const templateOf = ({ plot_name }: NewTrialValues): string => plot_name.trim() || '{plot}';

function designOf({ request, swaps }: MadeDesign) {
  const { kinship: _, ...asked } = request;
  return { request: { ...asked, swaps }, seed: request.seed, engine_version: PRODUCT_VERSION };
}

function placeOf({ values, design, changed }: MadeDesign, place: number) {
  const figures = changed[place]?.figures ?? design.places[place];
  const plots = changed[place]?.plots ?? design.plots.filter((plot) => plot.place === place);
  return {
    efficiency: figures?.efficiency ?? null,
    upper_bound: figures?.upperBound ?? null,
    layout: layoutOf(plots, numberOf(values.first_plot) || 1),
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
