export { matchQuery } from './match.api.ts';
export { InputMatchPanel, MatchPanel, type Rename, useMatch } from './match-panel.tsx';
export { RunEstimate } from './run-estimate.tsx';
