% Nothing but a comment.
