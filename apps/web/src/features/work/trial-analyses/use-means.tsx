import { trialAnalysesApi } from '@heterosis/contracts/endpoints/work/trial-analyses';
import type { TrialAnalysisDetail } from '@heterosis/contracts/work/trial-analyses';
import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api/api-client.ts';
import { asProblem } from '../../../lib/api/problem.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { useModal } from '../../../lib/browser/modal.ts';
import { namingFiles } from '../../../lib/browser/named-files.ts';
import { showToast } from '../../../lib/browser/toast.ts';
import { useMayWrite } from '../../people/projects/index.ts';
import type { RunPartProps } from '../runs/index.ts';

/** Makes the means a phenotype file, and goes on with it: a model, a GWAS, or the file. */
export function UseMeans({ projectId, run }: RunPartProps<TrialAnalysisDetail>) {
  const { t } = useTranslation();
  const modal = useModal();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { environment } = useSearch({ strict: false });
  const mayWrite = useMayWrite(projectId);
  const make = useMutation({
    mutationFn: (of: string | undefined) =>
      call(trialAnalysesApi.makePhenotype, {
        project_id: projectId,
        id: run.id,
        body: {
          name: t('trial_analyses.meansFile', { name: of === undefined ? run.name : `${run.name} ${of}` }),
          ...(of === undefined ? {} : { environment: of }),
        },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.files(projectId) }),
    onError: (error) => showToast({ text: asProblem(error).detail }),
  });
  if (!mayWrite || run.traits.every((trait) => !run.means_urls[trait])) return null;
  const withFile = (of: string | undefined, use: (fileId: string) => void): void =>
    make.mutate(of, { onSuccess: ({ id }) => use(id) });
  return (
    <Menu>
      <Menu.Target>
        <Button loading={make.isPending}>{t('trial_analyses.use')}</Button>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        <Menu.Label>{t('trial_analyses.useNote')}</Menu.Label>
        <Menu.Item
          onClick={() => withFile(undefined, (id) => modal.open('create-model', namingFiles({ phenotype: id })))}
        >
          {t('word.trainModel')}
        </Menu.Item>
        <Menu.Item
          onClick={() => withFile(undefined, (id) => modal.open('create-gwas', namingFiles({ phenotype: id })))}
        >
          {t('word.runGWAS')}
        </Menu.Item>
        <Menu.Divider />
        {[undefined, ...(environment === undefined ? [] : [environment])].map((of) => (
          <Menu.Item
            key={of ?? ''}
            onClick={() =>
              withFile(
                of,
                (fileId) => void navigate({ to: '/projects/$projectId/files/$fileId', params: { projectId, fileId } }),
              )
            }
          >
            {of === undefined ? t('trial_analyses.saveMeans') : t('trial_analyses.saveMeansOf', { trial: of })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
