import { Checkbox, Radio } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { tokenProjectsQuery } from './accounts.api.ts';
import classes from './token-rights-fields.module.css';

/** What a token may do, and where. */
export interface TokenRights extends Record<string, unknown> {
  scope: 'read' | 'write';
  reach: 'all' | 'chosen';
  projects: string[];
}

export const rightsBody = ({ scope, reach, projects }: TokenRights) => ({
  scopes: scope === 'write' ? ['read' as const, 'write' as const] : ['read' as const],
  project_ids: reach === 'chosen' ? projects : null,
});

export const lacksProject = ({ reach, projects }: TokenRights): boolean => reach === 'chosen' && projects.length === 0;

export function TokenRightsFields<Values extends TokenRights>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation();
  const projects = useQuery({ ...tokenProjectsQuery(), enabled: form.values.reach === 'chosen' });
  return (
    <>
      <Radio.Group label={t('token.mayDo')} {...form.getInputProps('scope')}>
        <Radio value="read" label={t('token.readOnly')} mt="xs" />
        <Radio value="write" label={t('token.readWrite')} mt="xs" />
      </Radio.Group>
      <Radio.Group label={t('token.reach')} {...form.getInputProps('reach')}>
        <Radio value="all" label={t('token.reachAll')} mt="xs" />
        <Radio value="chosen" label={t('token.reachChosen')} mt="xs" />
      </Radio.Group>
      {form.values.reach === 'chosen' && (
        <Checkbox.Group label={t('nav.projects')} {...form.getInputProps('projects')}>
          <div className={classes.projects}>
            {projects.data?.length === 0 && <p className="hx-muted">{t('token.noProjectYet')}</p>}
            {projects.data?.map((one) => (
              <Checkbox key={one.id} value={one.id} label={one.name} mt="xs" />
            ))}
          </div>
          {projects.error && <ErrorNotice error={projects.error} onRetry={() => void projects.refetch()} />}
        </Checkbox.Group>
      )}
    </>
  );
}
