import type { RowLink } from '../../components/data-table.tsx';
import type { ModalName } from '../../lib/modal.ts';

/** A kind of run: the part of the address, of the API and of the texts that is its own. */
export type RunKind = 'models' | 'predictions' | 'gwas' | 'crossing_simulations';

interface KindFacts {
  list: (projectId: string) => RowLink;
  page: (projectId: string, id: string) => RowLink;
  create: ModalName;
  update: ModalName;
}

export const RUN_KINDS: Record<RunKind, KindFacts> = {
  models: {
    list: (projectId) => ({ to: '/projects/$projectId/models', params: { projectId } }),
    page: (projectId, modelId) => ({ to: '/projects/$projectId/models/$modelId', params: { projectId, modelId } }),
    create: 'create-model',
    update: 'update-model',
  },
  predictions: {
    list: (projectId) => ({ to: '/projects/$projectId/predictions', params: { projectId } }),
    page: (projectId, predictionId) => ({
      to: '/projects/$projectId/predictions/$predictionId',
      params: { projectId, predictionId },
    }),
    create: 'create-prediction',
    update: 'update-prediction',
  },
  gwas: {
    list: (projectId) => ({ to: '/projects/$projectId/gwas', params: { projectId } }),
    page: (projectId, gwasId) => ({ to: '/projects/$projectId/gwas/$gwasId', params: { projectId, gwasId } }),
    create: 'create-gwas',
    update: 'update-gwas',
  },
  crossing_simulations: {
    list: (projectId) => ({ to: '/projects/$projectId/crossingSimulation', params: { projectId } }),
    page: (projectId, crossingSimulationId) => ({
      to: '/projects/$projectId/crossingSimulation/$crossingSimulationId',
      params: { projectId, crossingSimulationId },
    }),
    create: 'create-crossing-simulation',
    update: 'update-crossing-simulation',
  },
};
