import type { BrapiImport, ImportStep } from '@heterosis/contracts/data/brapi-import';
import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { RelativeTime } from '../../../../components/table/relative-time.tsx';
import { formatCount } from '../../../../lib/format/format.ts';
import { useImportMutations } from './brapi-import.api.ts';

/** The latest imports: how far each of their parts is, why one failed, and how to go on. */
export function ImportList({
  projectId,
  imports,
  onLeave,
}: {
  projectId: string;
  imports: readonly BrapiImport[];
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="brapi-imports" aria-live="polite">
      <h3 id="brapi-imports">{t('files.brapi.latest')}</h3>
      {imports.map((one) => (
        <OneImport key={one.id} projectId={projectId} one={one} onLeave={onLeave} />
      ))}
    </section>
  );
}

function OneImport({ projectId, one, onLeave }: { projectId: string; one: BrapiImport; onLeave: () => void }) {
  const { t } = useTranslation();
  const { cancel, resume } = useImportMutations(projectId);
  const [token, setToken] = useState('');
  const isRunning = one.finished_at === null;
  const isPart = !isRunning && one.steps.some(({ state }) => state !== 'DONE');
  return (
    <div style={{ marginBlock: '0.75rem' }}>
      <p>
        <strong>{one.server_name}</strong> · {t(`files.brapi.state.${one.state}`)} ·{' '}
        <RelativeTime date={one.created_at} />
      </p>
      <ul>
        {one.steps.map((step) => (
          <li key={`${step.kind} ${step.source_id}`}>
            {t(`files.brapi.kind.${step.kind}`)} <em>{step.name}</em>: {t(`files.brapi.step.${step.state}`)}
            {step.state === 'RUNNING' && ` ${progressInWords(step)}`}
            {step.message !== null && ` – ${step.message}`}
            {step.file_ids.map((id) => (
              <span key={id}>
                {' '}
                <Link
                  className="hx-link"
                  to="/projects/$projectId/files/$fileId"
                  params={{ projectId, fileId: id }}
                  onClick={onLeave}
                >
                  {t('files.brapi.open')}
                </Link>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {isRunning && (
        <Button size="compact-sm" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(one.id)}>
          {t('files.brapi.stop')}
        </Button>
      )}
      {isPart && (
        <div style={{ display: 'flex', gap: '0.5rem', alignItems: 'end', flexWrap: 'wrap' }}>
          <TextInput
            type="password"
            label={t('files.brapi.tokenAgain')}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            maxLength={4000}
            autoComplete="off"
            style={{ flex: '1 1 14rem' }}
          />
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate({ id: one.id, token })}>
            {t('files.brapi.goOn')}
          </Button>
        </div>
      )}
      {(cancel.error ?? resume.error) && <ErrorNotice error={cancel.error ?? resume.error} />}
    </div>
  );
}

const progressInWords = ({ done, total }: ImportStep): string =>
  total === null || total === 0 ? formatCount(done) : `${formatCount(done)} / ${formatCount(total)}`;
