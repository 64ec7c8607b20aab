import { dataPackagesApi } from '@heterosis/contracts/endpoints/operation/data-packages';
import { Button, FileButton, Tabs } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import formClasses from '../../../components/form/form.module.css';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { ProgressBar } from '../../../components/page/progress-bar.tsx';
import { call } from '../../../lib/api/api-client.ts';
import type { ModalProps } from '../../../lib/browser/modal.ts';
import { useRequiredProjectId } from '../../../lib/session/current.ts';
import { packageImportsQuery, useCancelImport, useSendPackage } from './data-packages.api.ts';
import { ExportForm } from './export-form.tsx';
import { PackageImportState } from './package-import.tsx';

/** Takes everything of a project as one archive, or brings such an archive into an empty project. */
export function DataPackageModal({ close }: ModalProps) {
  const { t } = useTranslation();
  const projectId = useRequiredProjectId();
  return (
    <ModalFrame title={t('packages.title')} help="data-packages" onClose={close} size="md">
      <Tabs defaultValue="export">
        <Tabs.List>
          <Tabs.Tab value="export">{t('packages.export')}</Tabs.Tab>
          <Tabs.Tab value="import">{t('packages.import')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="export" pt="md">
          <ExportForm
            text={t('packages.text')}
            ask={(query) => call(dataPackagesApi.exportProject, { project_id: projectId, query })}
            onCancel={close}
          />
        </Tabs.Panel>
        <Tabs.Panel value="import" pt="md">
          <ImportPanel projectId={projectId} />
        </Tabs.Panel>
      </Tabs>
    </ModalFrame>
  );
}

function ImportPanel({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const imports = useQuery(packageImportsQuery(projectId));
  const send = useSendPackage(projectId);
  const [sent, setSent] = useState({ bytes: 0, of: 0 });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const start = useMutation({
    mutationFn: (file: File) => {
      setSent({ bytes: 0, of: file.size });
      return send(file, leaving.current.signal, (bytes) => setSent({ bytes, of: file.size }));
    },
  });
  const cancel = useMutation({ mutationFn: useCancelImport(projectId) });
  const [latest] = imports.data?.data ?? [];
  const isUnderWay = start.isPending || latest?.finished_at === null;
  return (
    <div className={formClasses.form}>
      <p className="hx-muted">{t('packages.importText')}</p>
      <div>
        <FileButton
          accept=".zip,application/zip"
          onChange={(file) => file && start.mutate(file)}
          inputProps={{ 'aria-label': t('packages.choose') }}
        >
          {(props) => (
            <Button {...props} disabled={isUnderWay} loading={start.isPending}>
              {t('packages.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {start.isPending && <ProgressBar label={t('packages.sending')} done={sent.bytes} total={sent.of || 1} />}
      {start.error && <ErrorNotice error={start.error} />}
      {latest && !start.isPending && <PackageImportState {...latest} />}
      {latest?.finished_at === null && (
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(latest.id)}>
          {t('action.cancel')}
        </Button>
      )}
      {cancel.error && <ErrorNotice error={cancel.error} />}
    </div>
  );
}
