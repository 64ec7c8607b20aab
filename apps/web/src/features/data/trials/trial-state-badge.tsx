import type { TrialState } from '@heterosis/contracts/data/trials';
import { useTranslation } from 'react-i18next';
import { StateBadge, type StateKind } from '../../../components/table/state-badge.tsx';

const KINDS: Record<TrialState, StateKind> = { DRAFT: 'waiting', SOWN: 'processing', CLOSED: 'success' };

export function TrialStateBadge({ state }: { state: TrialState }) {
  const { t } = useTranslation();
  return <StateBadge kind={KINDS[state]} label={t(`trials.state.${state}`)} />;
}
