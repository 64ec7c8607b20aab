import type { ShareLink } from '@heterosis/contracts/people/share-links';
import { useTranslation } from 'react-i18next';
import { StateBadge, type StateKind } from '../../../components/table/state-badge.tsx';

const BADGES: Record<ShareLink['state'], StateKind> = {
  OPEN: 'success',
  EXPIRED: 'waiting',
  REVOKED: 'waiting',
  CLOSED: 'warning',
};

export function ShareLinkState({ state }: Pick<ShareLink, 'state'>) {
  const { t } = useTranslation();
  return <StateBadge kind={BADGES[state]} label={t(`share.state.${state}`)} />;
}
