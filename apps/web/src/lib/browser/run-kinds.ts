import { RUN_KINDS, type RunKind, runKinds } from '@heterosis/contracts/work/run-kinds';
import type { LinkProps } from '@tanstack/react-router';

type Kinds = typeof RUN_KINDS;
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type Dashed<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}-${Dashed<Rest>}` : Name;

type ListAddress = `/projects/$projectId/${Kinds[RunKind]['page']}`;
type RunAddress = {
  [Kind in RunKind]: `/projects/$projectId/${Kinds[Kind]['page']}/$${Camel<Kind>}Id`;
}[RunKind];

/** Modals that a kind of run has: one that starts a run, one that changes its name and description. */
export type RunModalName<Prefix extends 'create' | 'update' = 'create' | 'update'> = `${Prefix}-${Dashed<RunKind>}`;

export const isRunKind = (type: string): type is RunKind => Object.hasOwn(RUN_KINDS, type);

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const dashed = (name: string): string => name.replaceAll('_', '-');

/** Name of the route parameter with the id of a run: `crossingSimulationId`. */
const idParam = (kind: RunKind): string => `${camel(kind)}Id`;

/** The page with all runs of one kind. */
export const runListLink = (kind: RunKind, projectId: string): Pick<LinkProps, 'to' | 'params'> => ({
  // As a type of its own, so that a kind without a route does not compile.
  to: `/projects/$projectId/${RUN_KINDS[kind].page}` satisfies ListAddress,
  params: { projectId },
});

/** The page of one run. */
export const runLink = (kind: RunKind, projectId: string, id: string): Pick<LinkProps, 'to' | 'params'> => ({
  to: `${runListLink(kind, projectId).to}/$${idParam(kind)}` as RunAddress,
  params: { projectId, [idParam(kind)]: id },
});

export const createModalOf = (kind: RunKind): RunModalName<'create'> =>
  `create-${dashed(kind)}` as RunModalName<'create'>;
export const updateModalOf = (kind: RunKind): RunModalName<'update'> =>
  `update-${dashed(kind)}` as RunModalName<'update'>;

/** Names of the modals of all kinds, as they appear in the `modal` search param. */
export const RUN_MODAL_NAMES: readonly RunModalName[] = runKinds.flatMap((kind) => [
  createModalOf(kind),
  updateModalOf(kind),
]);
