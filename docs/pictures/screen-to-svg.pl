# Draws a screen with its colours, as tmux captures it, as SVG.
use strict;
use warnings;

my ($letter, $row, $left, $top) = (8.43, 19, 14, 12);
my %colours = (1 => '#ff7b72', 2 => '#7ee787', 3 => '#e3b341');
my ($plain, $dim, $typed, $ground) = ('#e6e9ef', '#8b98ad', '#7fd1b9', '#11151c');

my @lines = <STDIN>;
chomp @lines;
pop @lines while @lines && $lines[-1] =~ /^(?:\e\[[\d;]*m|\s|\$)*$/;
my ($widest, $drawn) = (0, '');
my %style;
for my $number (1 .. @lines) {
    my ($column, $y) = (0, $number * $row + $top);
    my $is_typed = $lines[$number - 1] =~ /^(?:\e\[[\d;]*m)*\$ /;
    for my $piece (split /(\e\[[\d;]*m)/, $lines[$number - 1]) {
        if ($piece =~ /^\e\[([\d;]*)m$/) {
            change(length $1 ? split(/;/, $1) : 0);
            next;
        }
        for my $part ($piece =~ /(\s+|\S+(?: \S+)*)/g) {
            $drawn .= draw($part, $column, $y, $is_typed);
            $column += length $part;
        }
    }
    $widest = $column if $column > $widest;
}
my ($width, $height) = (int($widest * $letter + 2 * $left), @lines * $row + 2 * $left);
print qq(<svg xmlns="http://www.w3.org/2000/svg" width="$width" height="$height" viewBox="0 0 $width $height">\n);
print qq(<rect width="$width" height="$height" rx="8" fill="$ground"/>\n);
print qq(<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">\n);
print "$drawn</g>\n</svg>\n";

sub change {
    my @codes = @_;
    if (@codes == 3 && $codes[0] == 38) {
        $style{colour} = $colours{ $codes[2] % 8 };
        return;
    }
    change_one($_) for @codes;
}

sub change_one {
    my ($code) = @_;
    %style = () if $code == 0;
    $style{bold} = 1 if $code == 1;
    $style{dim} = 1 if $code == 2;
    $style{reversed} = 1 if $code == 7;
    delete @style{qw(bold dim)} if $code == 22;
    delete $style{reversed} if $code == 27;
    delete $style{colour} if $code == 39;
    $style{colour} = $colours{ $code - 30 } if $code >= 30 && $code < 38;
}

# Every piece has its own place, so that columns stay in line whatever the font.
sub draw {
    my ($text, $column, $y, $is_typed) = @_;
    my ($x, $long) = map { sprintf '%.1f', $_ } $left + $column * $letter, length($text) * $letter;
    my $colour = $style{colour} // ($style{dim} ? $dim : $is_typed ? $typed : $plain);
    my $behind = '';
    if ($style{reversed}) {
        my $up = $y - 14.5;
        $behind = qq(<rect x="$x" y="$up" width="$long" height="$row" fill="$colour"/>\n);
        $colour = $ground;
    }
    return $behind if $text =~ /^\s*$/;
    my %escapes = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;');
    $text =~ s/([&<>])/$escapes{$1}/g;
    my $weight = $style{bold} ? ' font-weight="bold"' : '';
    return qq($behind<text x="$x" y="$y" textLength="$long" fill="$colour"$weight>$text</text>\n);
}
