import { TextInput } from '@mantine/core';

interface CodeInputProps {
  label: string;
  description?: string | undefined;
  value: string;
  error?: string | undefined;
  onChange: (code: string) => void;
}

/** A code from an authenticator app or a mail. Phones offer to fill it in. */
export function CodeInput({ label, description, value, error, onChange }: CodeInputProps) {
  return (
    <TextInput
      label={label}
      description={description}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={40}
      maw={280}
      classNames={{ input: 'hx-mono' }}
      data-autofocus
    />
  );
}
