// Memory for the AI SDK: `ai` 6 and 7.
