/** Two strands and the cross between them. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" fill="currentColor">
      <path d="M9 27V5M23 27V5M9 16h14" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <circle cx="9" cy="5" r="3" />
      <circle cx="23" cy="27" r="3" />
    </svg>
  );
}
