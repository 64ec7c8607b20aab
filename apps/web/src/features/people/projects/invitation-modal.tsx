import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { InviteDialog } from '../members/index.ts';
import { organizationQuery } from '../organizations/index.ts';
import { projectQuery } from './projects.api.ts';
import { useProjectStanding } from './use-project-standing.ts';

/** Invites to a project. */
export function InvitationModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  const { data: project, error } = useQuery(projectQuery(id));
  const organizationId = project?.organization?.id;
  const { data: organization } = useQuery({
    ...organizationQuery(organizationId ?? ''),
    enabled: organizationId !== undefined,
  });
  return (
    <InviteDialog
      title={t('invitation.titleOf', { name: project?.name ?? '…' })}
      place={{ kind: 'project', id }}
      standing={useProjectStanding(project)}
      seats={organization}
      error={error}
      close={close}
    />
  );
}
