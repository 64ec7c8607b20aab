import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../../components/dialog/modal-frame.tsx';
import { CodeInput } from '../../../../components/form/code-input.tsx';
import formClasses from '../../../../components/form/form.module.css';
import { FormFooter } from '../../../../components/form/form-footer.tsx';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { asProblem, type Problem } from '../../../../lib/api/problem.ts';
import { demandSecondFactor } from '../../../../lib/session/demands.ts';
import classes from '../connect-app-section.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { beginSecondFactor, confirmSecondFactor } from './second-factor.api.ts';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

/** Sets up a second factor: the secret for the app, its first code, and the recovery codes. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [codes, setCodes] = useState<string[]>();
  // A secret is made once each time that the dialog opens.
  const { data: made, error } = useQuery({
    queryKey: ['new-second-factor'],
    queryFn: beginSecondFactor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const close = () => {
    if (codes !== undefined) {
      demandSecondFactor(false);
      void client.invalidateQueries();
    }
    onClose();
  };
  return (
    <ModalFrame title={t(codes === undefined ? 'secondFactor.setUp' : 'secondFactor.codesTitle')} onClose={close}>
      {error && <ErrorNotice error={error} />}
      {!made && !error && <SkeletonLines lines={4} />}
      {made && codes === undefined && (
        <FirstCode secret={made.secret} uri={made.uri} onConfirmed={setCodes} onCancel={onClose} />
      )}
      {codes !== undefined && <RecoveryCodes codes={codes} onDone={close} />}
    </ModalFrame>
  );
}

interface FirstCodeProps {
  secret: string;
  uri: string;
  onConfirmed: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

function FirstCode({ secret, uri, onConfirmed, onCancel }: FirstCodeProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      onConfirmed((await confirmSecondFactor(code)).recovery_codes);
    } catch (error) {
      setProblem(asProblem(error));
      setPending(false);
    }
  };
  return (
    <form className={formClasses.form} onSubmit={(event) => void submit(event)} noValidate>
      <div className={classes.connect}>
        <div className={classes.code}>
          <Suspense>
            <QrCode text={uri} label={t('secondFactor.qr')} />
          </Suspense>
        </div>
        <div className={classes.text}>
          <p>{t('secondFactor.scan')}</p>
          <p className="hx-muted">{t('secondFactor.type')}</p>
          <p className="hx-mono">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
        </div>
      </div>
      <CodeInput label={t('secondFactor.firstCode')} value={code} onChange={setCode} />
      <FormFooter
        submitLabel={t('secondFactor.confirm')}
        isPending={isPending}
        problem={problem}
        disabledReason={code.trim() === '' ? t('secondFactor.codeNeeded') : undefined}
        onCancel={onCancel}
      />
    </form>
  );
}
