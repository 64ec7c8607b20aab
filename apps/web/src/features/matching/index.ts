export { matchQuery } from './match.api.ts';
export { InputMatchPanel, MatchPanel, type Rename, useMatch } from './match-panel.tsx';
