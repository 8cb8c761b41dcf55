-- How the labels of a workspace are printed if a request does not say: {format, size, dpi, caption}. Null: as a
-- PDF in A6 without a caption.
ALTER TABLE workspaces ADD COLUMN label_format jsonb;
