-- What a key is called and what it is for. Earlier keys have no name, and scopes of their own: they are custom.
ALTER TABLE api_keys
  ADD COLUMN name text,
  ADD COLUMN role text NOT NULL DEFAULT 'custom' CHECK (role IN
    ('integration', 'clerk', 'support', 'accountant', 'operator', 'admin', 'custom'));
