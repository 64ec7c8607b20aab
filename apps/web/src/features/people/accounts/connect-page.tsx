import type { ConnectionRequest } from '@heterosis/contracts/people/connections';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import formClasses from '../../../components/form/form.module.css';
import { FormFooter } from '../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { PageLoading } from '../../../components/page/loading.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { Page } from '../../../components/page/page.tsx';
import { useSubmission } from '../../../lib/form/form.ts';
import { useSession } from '../../../lib/session/browser-session.ts';
import { allowConnection, connectionQuery, refuseConnection } from './accounts.api.ts';
import { lacksProject, rightsBody, type TokenRights, TokenRightsFields } from './token-rights-fields.tsx';

/** Where an app leads that asks for access: the person says what it may do, and goes back to it. */
export function ConnectPage({ uid }: { uid: string }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(connectionQuery(uid));
  if (error)
    return (
      <Page title={t('connect.title')} width="form">
        <ErrorNotice error={error} />
        <p>
          <Link to="/account" className="hx-link">
            {t('word.myAccount')}
          </Link>
        </p>
      </Page>
    );
  if (data === undefined) return <PageLoading />;
  return <Asking uid={uid} asking={data} />;
}

const leaveFor = ({ redirect_to }: { redirect_to: string }): void => window.location.assign(redirect_to);

function Asking({ uid, asking: { app, writes, token_days } }: { uid: string; asking: ConnectionRequest }) {
  const { t } = useTranslation();
  const state = useSession();
  const refusal = useMutation({ mutationFn: () => refuseConnection(uid), onSuccess: leaveFor });
  const form = useForm<TokenRights>({
    initialValues: { scope: writes ? 'write' : 'read', reach: 'all', projects: [] },
  });
  const allowance = useMutation({
    mutationFn: (values: TokenRights) => allowConnection(uid, rightsBody(values)),
    onSuccess: leaveFor,
  });
  const submission = useSubmission(form, allowance.mutateAsync, () => undefined);
  const hasAnswered = allowance.isSuccess || refusal.isSuccess;
  return (
    <Page title={t('connect.asks', { app })} width="form">
      <p>{t('connect.signedInAs', { app, email: state.status === 'signed-in' ? state.user.email : '' })}</p>
      {hasAnswered ? (
        <Notice kind="success">{t('connect.leaving')}</Notice>
      ) : (
        <form className={formClasses.form} onSubmit={submission.handleSubmit} noValidate>
          <TokenRightsFields form={form} />
          <p>{t('connect.until', { count: token_days })}</p>
          {refusal.error && <ErrorNotice error={refusal.error} />}
          <FormFooter
            submitLabel={t('connect.allow')}
            isPending={submission.isPending || refusal.isPending}
            problem={submission.problem}
            disabledReason={lacksProject(form.values) ? t('token.projectNeeded') : undefined}
            cancelLabel={t('connect.refuse')}
            onCancel={() => refusal.mutate()}
          />
        </form>
      )}
    </Page>
  );
}
