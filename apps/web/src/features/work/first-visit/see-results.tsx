import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { modelsApi } from '@heterosis/contracts/endpoints/work/models';
import type { ProjectOverview } from '@heterosis/contracts/people/projects';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { fileQuery } from '../../data/files/index.ts';
import { useMatch } from '../matching/index.ts';

/** Whether the names fit, and one button for the first model and the first scan of every trait. */
export function SeeResults({ projectId, overview }: { projectId: string; overview: ProjectOverview }) {
  const { genotype_id, phenotype_id } = overview.newest;
  if (genotype_id === null || phenotype_id === null) return null;
  return <Begin projectId={projectId} inputs={{ genotype_id, phenotype_id }} />;
}

interface Inputs {
  genotype_id: string;
  phenotype_id: string;
}

function Begin({ projectId, inputs }: { projectId: string; inputs: Inputs }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: phenotype } = useQuery(fileQuery(projectId, inputs.phenotype_id));
  const { data: match } = useMatch(projectId, inputs);
  const traits = phenotype?.meta.traits ?? [];
  const begin = useMutation({
    mutationFn: async () => {
      const body = { ...inputs, traits, name: t('firstVisit.see.name', { traits: traits.join(', ') }).slice(0, 200) };
      await call(modelsApi.createRun, { project_id: projectId, body });
      await call(gwasApi.createRun, { project_id: projectId, body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  return (
    <>
      {match && <p>{t('firstVisit.see.matched', { count: match.both })}</p>}
      <Button
        loading={begin.isPending}
        disabled={traits.length === 0 || match?.both === 0}
        onClick={() => begin.mutate()}
      >
        {t('firstVisit.see.action', { count: traits.length })}
      </Button>
      {begin.error && <ErrorNotice error={begin.error} />}
    </>
  );
}
