-- The page for the person who waits for a parcel: whether the shop's shipments have a link to it, and what
-- it shows of the shop. Without a shop name it shows the workspace's name.
ALTER TABLE workspaces
  ADD COLUMN tracking_page_enabled boolean NOT NULL DEFAULT true,
  ADD COLUMN tracking_page_shop_name text,
  ADD COLUMN tracking_page_support_url text,
  ADD COLUMN tracking_page_accent text CHECK (tracking_page_accent ~ '^#[0-9a-f]{6}$');
