/** Where people have roles and are invited to. */
export interface Place {
  kind: 'organization' | 'project';
  id: string;
}

/** Address of a place in the API. */
export const pathOf = ({ kind, id }: Place): string => `/${kind}s/${id}`;
