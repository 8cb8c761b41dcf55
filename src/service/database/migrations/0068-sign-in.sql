-- The person's id at the OpenID Connect issuer. Null: the person is known by the verified e-mail address.
ALTER TABLE operators ADD COLUMN subject text;
-- Only ASCII letters are compared without case: other alphabets have letters that become the same.
CREATE INDEX operators_by_email ON operators (lower(email COLLATE "C"));
CREATE INDEX operators_by_subject ON operators (subject) WHERE subject IS NOT NULL;

-- Whether a sign-in to the console created the key. Such a key lasts for hours, not for a program.
ALTER TABLE api_keys ADD COLUMN from_sign_in boolean NOT NULL DEFAULT false;
CREATE INDEX api_keys_of_sign_ins ON api_keys (operator_id, livemode, created_at DESC) WHERE from_sign_in;

-- One-time codes, each for one minute: a tab exchanges its code for a key. A person who is an operator of several
-- organizations has a row for each of them under one code.
CREATE TABLE sign_in_codes (
  digest           bytea NOT NULL,
  organization_id  text COLLATE "C" NOT NULL REFERENCES organizations,
  operator_id      text COLLATE "C" NOT NULL,
  livemode         boolean NOT NULL,
  role             text NOT NULL,
  -- The digest of what only the tab knows that began.
  challenge        bytea NOT NULL,
  expires_at       timestamptz NOT NULL,
  PRIMARY KEY (digest, organization_id),
  FOREIGN KEY (organization_id, operator_id) REFERENCES operators (organization_id, id)
);
CREATE INDEX sign_in_codes_by_expiry ON sign_in_codes (expires_at);
