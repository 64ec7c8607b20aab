import { useTranslation } from 'react-i18next';
import { Page } from '../../../../components/page/page.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';

/** In place of every page, for who has not set up yet the second factor that an organization demands. */
export function SecondFactorGate() {
  const { t } = useTranslation();
  return (
    <Page title={t('secondFactor.gateTitle')} width="settings">
      <SecondFactorSection />
    </Page>
  );
}
