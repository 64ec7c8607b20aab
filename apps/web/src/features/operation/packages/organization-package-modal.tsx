import { dataPackagesApi } from '@heterosis/contracts/endpoints/operation/data-packages';
import { useTranslation } from 'react-i18next';
import { ModalFrame } from '../../../components/dialog/modal-frame.tsx';
import { call } from '../../../lib/api/api-client.ts';
import type { ModalAboutProps } from '../../../lib/browser/modal.ts';
import { ExportForm } from './export-form.tsx';

/** Everything of an organization as one archive. `id` is the organization. */
export function OrganizationPackageModal({ close, id }: ModalAboutProps) {
  const { t } = useTranslation();
  return (
    <ModalFrame title={t('packages.titleOrganization')} help="data-packages" onClose={close} size="md">
      <ExportForm
        text={t('packages.textOrganization')}
        ask={(query) => call(dataPackagesApi.exportOrganization, { organization_id: id, query })}
        onCancel={close}
      />
    </ModalFrame>
  );
}
