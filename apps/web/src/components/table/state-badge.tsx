import classes from './state-badge.module.css';

export type StateKind = 'waiting' | 'processing' | 'success' | 'warning' | 'error';

/**
 * A state as shape, colour and word. `share` (0–1) shows how far a running thing is. A screen reader is told when the
 * word of an announced state changes, and not each percent.
 */
export function StateBadge({
  kind,
  label,
  share,
  isAnnounced = false,
}: {
  kind: StateKind;
  label: string;
  share?: number | undefined;
  isAnnounced?: boolean;
}) {
  return (
    <span className={classes.badge} data-kind={kind}>
      <Shape kind={kind} share={share ?? 0.5} />
      <span>
        <span {...(isAnnounced && { role: 'status' })}>{label}</span>
        {share !== undefined && ` ${Math.floor(share * 100)} %`}
      </span>
    </span>
  );
}

/** Every kind has its own outline, so that the state can be told without colour. */
function Shape({ kind, share }: { kind: StateKind; share: number }) {
  return (
    <svg className={classes.shape} viewBox="0 0 12 12" aria-hidden="true">
      {kind === 'waiting' && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />}
      {kind === 'processing' && (
        <>
          <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
          <circle
            cx="6"
            cy="6"
            r="2"
            fill="none"
            stroke="currentColor"
            strokeWidth="4"
            pathLength="100"
            strokeDasharray={`${Math.max(4, share * 100)} 100`}
            transform="rotate(-90 6 6)"
          />
        </>
      )}
      {kind === 'success' && <circle cx="6" cy="6" r="5" fill="currentColor" />}
      {kind === 'warning' && <path d="M6 1 11.5 11H.5Z" fill="currentColor" />}
      {kind === 'error' && (
        <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />
      )}
    </svg>
  );
}
