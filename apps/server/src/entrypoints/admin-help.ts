/** `npm run admin -- --help`, laid out like a manual page. */
export const ADMIN_HELP = `NAME
      npm run admin - what the operator of a Heterosis installation does from the console

SYNOPSIS
      npm run admin -- registrations list [--status pending|approved|rejected|all] [--json]
      npm run admin -- registrations approve EMAIL... [--json]
      npm run admin -- registrations reject EMAIL... [--reason TEXT] [--json]
      npm run admin -- custom-token EMAIL [--json]
      npm run admin -- keys list [--json]
      npm run admin -- keys rotate [--revoke] [--json]

DESCRIPTION
      Works on the database of the installation, whether its servers run or not. Give it the same environment as
      the servers (DATABASE_URL, DATA_DIR, SECRET_KEY, MAIL, PUBLIC_URL and so on). Without DATABASE_URL it uses
      the embedded database in DATA_DIR: it joins the one that runs, or starts it for as long as it needs it.

COMMANDS
      registrations list
          Requests for an account, newest first. Those that wait for a decision, unless --status says otherwise.

      registrations approve EMAIL...
          Makes an account for each address and mails a sign-in link. All addresses must have asked for an account,
          otherwise none is approved. An earlier rejection is overturned; an account that exists is left as it is.

      registrations reject EMAIL...
          Turns the requests down and says so by mail. An address that has an account is refused.

      custom-token EMAIL
          Prints a token that POST /api/auth/token takes as proof of who the user is
          ({"grant_type": "custom_token", "token": "..."}), once or several times within 5 minutes. For single
          sign-on and scripts. Whoever has it can sign in as that user.

      keys list
          The keys that sign access tokens: the one in use, and those that still verify what they signed.
          Servers publish them at /.well-known/jwks.json.

      keys rotate
          Signs with a new key from now on. What the old key signed stays valid until it expires, so nobody notices.

OPTIONS
      --status STATUS
          pending (default), approved, rejected or all.

      --reason TEXT
          One or two sentences that go into the mail and into the audit trail.

      --revoke
          Deletes the old keys: every access token is void within a minute, and browsers get a new one by
          themselves. For a key that may be known to others, or when SECRET_KEY was lost.

      --json
          Prints one JSON document on standard output, and each problem as a JSON object on a line of standard error.
          With npm run --silent nothing else is printed.

      --help
          Shows this page.

EXIT STATUS
      0   success
      1   something else failed: the database cannot be reached, a mail was not taken (the decision stands)
      2   bad input; each problem is on standard error with its code, and nothing was changed

EXAMPLES
      npm run admin -- registrations list
      npm run admin -- registrations approve maria@example.org jan@example.org
      npm run admin -- registrations reject bot@example.com --reason "Please write from your institute's address."
      TOKEN=$(npm run --silent admin -- custom-token maria@example.org)
`;
